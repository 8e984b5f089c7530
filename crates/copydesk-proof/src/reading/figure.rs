//! A figure: its value, what it counts, and whether two figures are the same.

use std::ops::Range;

/// The kind of thing that a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FigureKind {
    /// An amount of money, with the sign of its currency. A dollar that a text says to be another country's has that country's letter.
    Money(char),
    Percent,
    /// Percentage points: the difference of two percentages.
    Points,
    /// A year with four digits.
    Year,
    /// A day of a month. Its value is month × 100 + day; the day is 0 if the text gives only month and year.
    Date,
    /// A time of day, in minutes.
    Time,
    /// A part of a whole, between 0 and 1.
    Fraction,
    /// A measure in two units, in the smaller of them: `6'2"` in inches, `11st 4lb` in pounds, `1h 20m` in minutes.
    Measure(char),
    /// Anything else that is counted or measured.
    #[default]
    Count,
}

/// Which side of zero a figure is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sign {
    #[default]
    Plain,
    /// It has a minus.
    Minus,
    /// A word tells of a fall or a loss: the source may have a minus or not.
    Down,
}

/// A time's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    /// Minutes ahead of Greenwich, in winter.
    pub minutes: i16,
    /// Whether its name tells of summer time. `EST` tells that it is none, `Eastern time` tells nothing.
    pub summer: Option<bool>,
}

impl Zone {
    /// Whether two zones have different clocks. Summer time counts as its zone (`EST` beside `EDT`), except in Greenwich: GMT is a zone of
    /// the whole year.
    fn differs(self, other: Self) -> bool {
        self.minutes != other.minutes
            || self.minutes == 0 && self.summer.zip(other.summer).is_some_and(|(mine, theirs)| mine != theirs)
    }
}

/// The other marks at a figure that belong to its value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Written {
    pub sign: Sign,
    /// The other value of `12.450` in a text that does not show what its points mean.
    pub other: Option<f64>,
    /// The zone of a time.
    pub zone: Option<Zone>,
    /// Whether a year stands for its ten: `the 1970s`.
    pub decade: bool,
    /// Whether a year, the first of a hundred, stands for all of them: `the 19th century`.
    pub century: bool,
    /// Whether it stands for the later or the earlier years of its ten: `the late 1970s`.
    pub late: Option<bool>,
    /// The weekday that a text gives for a date, Monday 0.
    pub weekday: Option<u8>,
    /// Whether it is the first number of a tally.
    pub leads: bool,
}

/// A figure in a text.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// First byte, with currency sign or weekday.
    pub start: usize,
    /// One past the last byte, with percent sign, scale and unit of money.
    pub end: usize,
    pub value: f64,
    pub kind: FigureKind,
    /// The words that it is made of.
    pub tokens: Range<usize>,
    /// How far the value may be off, since it may be rounded; 0 if it is written as exact.
    pub slack: f64,
    /// Written in words.
    pub spelled: bool,
    /// Year of a date, if the text gives it.
    pub year: Option<u32>,
    /// For times: whether the text says morning or afternoon.
    pub half_day: bool,
    /// The other number of a tally such as 5–2.
    pub partner: Option<f64>,
    pub written: Written,
}

impl Figure {
    /// A figure in digits that is written as exact.
    pub fn new(kind: FigureKind, value: f64, tokens: Range<usize>, bytes: Range<usize>) -> Self {
        Self { start: bytes.start, end: bytes.end, value, kind, tokens, ..Self::default() }
    }

    /// Whether two figures mean the same.
    pub fn same(&self, other: &Self) -> bool {
        if self.across_zero(other) {
            return false;
        }
        let compatible = match (self.kind, other.kind) {
            (FigureKind::Money(a), FigureKind::Money(b)) => alike(a, b),
            (FigureKind::Money(_), FigureKind::Count) | (FigureKind::Count, FigureKind::Money(_)) => {
                self.value >= 1_000.0
            }
            (FigureKind::Percent, FigureKind::Fraction) => return (self.value / 100.0 - other.value).abs() < 0.01,
            (FigureKind::Fraction, FigureKind::Percent) => return (self.value - other.value / 100.0).abs() < 0.01,
            (FigureKind::Time, FigureKind::Time) => {
                if self.written.zone.zip(other.written.zone).is_some_and(|(mine, theirs)| mine.differs(theirs)) {
                    // Two that do not say their season have the same.
                    let told =
                        [self, other].iter().any(|time| time.written.zone.is_some_and(|zone| zone.summer.is_some()));
                    let at = |(season, mine): (bool, f64)| {
                        other.universal().any(|(theirs, at)| (told || theirs == season) && near(mine, at))
                    };
                    return self.half_day && other.half_day && self.universal().any(at);
                }
                let (a, b) = (self.value, other.value);
                return near(a, b) || (!(self.half_day && other.half_day) && near(a % 720.0, b % 720.0));
            }
            (FigureKind::Time, FigureKind::Count) => {
                let clock = other.clock().is_some_and(|minutes| near(self.value % 720.0, minutes));
                return clock || other.value <= 24.0 && near(self.value % 720.0, (other.value * 60.0) % 720.0);
            }
            (FigureKind::Count, FigureKind::Time) => {
                return self.clock().is_some_and(|minutes| near(other.value % 720.0, minutes));
            }
            (FigureKind::Date, FigureKind::Date) => {
                let alike = |a: f64, b: f64| {
                    let month_only = near(a % 100.0, 0.0) || near(b % 100.0, 0.0);
                    near(a, b) || month_only && near((a / 100.0).floor(), (b / 100.0).floor())
                };
                let days = self.values().any(|mine| other.values().any(|theirs| alike(mine, theirs)));
                let weekdays = self.weekday().zip(other.weekday()).is_none_or(|(mine, theirs)| mine == theirs);
                return days && weekdays && (self.year.is_none() || other.year.is_none() || self.year == other.year);
            }
            (FigureKind::Year, FigureKind::Date) if self.written.century => {
                return other.year.is_some_and(|year| near(self.hundred(self.value), other.hundred(f64::from(year))));
            }
            (FigureKind::Year, FigureKind::Date) => {
                return other.year.is_some_and(|year| near(f64::from(year), self.value));
            }
            (FigureKind::Year, FigureKind::Year) if self.written.century => {
                return near(self.hundred(self.value), other.hundred(other.value));
            }
            (FigureKind::Year, FigureKind::Year) if other.written.century => false,
            (FigureKind::Year, FigureKind::Year) if self.written.decade => {
                let decade = |year: f64| (year / 10.0).floor();
                // Early and late are told of more than half of the ten years.
                let part = other.value % 10.0;
                let part = other.written.decade
                    || self.written.late.is_none_or(|late| if late { part >= 4.0 } else { part <= 5.0 });
                let is = |value: f64| part && near(decade(value), decade(other.value));
                return is(self.value) || self.written.other.is_some_and(is);
            }
            // The seventies do not tell the year.
            (FigureKind::Year, FigureKind::Year) if other.written.decade => false,
            (FigureKind::Percent, FigureKind::Count) | (FigureKind::Count, FigureKind::Percent) => self.value > 1.0,
            (a, b) => {
                a == b
                    || matches!((a, b), (FigureKind::Count, FigureKind::Year) | (FigureKind::Year, FigureKind::Count))
            }
        };
        compatible && self.values().any(|mine| other.values().any(|theirs| near(mine, theirs)))
    }

    /// Whether one of both is below zero and the other is not.
    pub fn across_zero(&self, other: &Self) -> bool {
        let signs = (self.written.sign, other.written.sign);
        matches!(signs, (Sign::Plain, Sign::Minus) | (Sign::Minus, Sign::Plain))
    }

    /// The weekday of a date, Monday 0, if its text gives it or the year that tells it.
    pub fn weekday(&self) -> Option<u8> {
        if self.written.weekday.is_some() || self.written.other.is_some() {
            return self.written.weekday;
        }
        u8::try_from(self.day(self.year)?.weekday().to_monday_zero_offset()).ok()
    }

    /// The day of a date in a year; none if it is none.
    pub fn day(&self, year: Option<u32>) -> Option<jiff::civil::Date> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a month times 100 and a day")]
        let day = self.value as u16;
        let (month, day) = ((day / 100).try_into().ok()?, (day % 100).try_into().ok()?);
        jiff::civil::Date::new(i16::try_from(year?).ok()?, month, day).ok().filter(|_| self.kind == FigureKind::Date)
    }

    /// The values that it may have.
    fn values(&self) -> impl Iterator<Item = f64> {
        std::iter::once(self.value).chain(self.written.other)
    }

    /// The minutes of a time since midnight in Greenwich that it may mean, if it names its zone, each with whether it is summer time.
    fn universal(&self) -> impl Iterator<Item = (bool, f64)> {
        let at = |minutes: i16| (self.value - f64::from(minutes)).rem_euclid(1_440.0);
        self.written.zone.into_iter().flat_map(move |zone| {
            let winter = (zone.summer != Some(true)).then(|| (false, at(zone.minutes)));
            winter.into_iter().chain((zone.summer != Some(false)).then(|| (true, at(zone.minutes + 60))))
        })
    }

    /// Keys for looking up equal figures: two that are the [`same`](Self::same) share one.
    pub fn keys(&self) -> Vec<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "a saturated key is a key")]
        let key = |room: i64, value: f64| ((value * 1_000.0).round() as i64).wrapping_mul(8).wrapping_add(room);
        match self.kind {
            FigureKind::Money(_) | FigureKind::Points => self.values().map(|value| key(0, value)).collect(),
            // Each of its years. If years had a key for their century, each would meet all the others.
            FigureKind::Year if self.written.century => {
                let years = (0..100).map(|year| key(0, self.value + f64::from(year)));
                years.chain([key(4, (self.value / 10.0).floor())]).collect()
            }
            FigureKind::Year => {
                self.values().flat_map(|value| [key(0, value), key(4, (value / 10.0).floor())]).collect()
            }
            FigureKind::Measure(_) => vec![key(5, self.value)],
            FigureKind::Count => {
                let clock = self.clock().map(|minutes| key(1, minutes));
                let hours = key(1, (self.value * 60.0) % 720.0);
                self.values().map(|value| key(0, value)).chain([hours]).chain(clock).collect()
            }
            FigureKind::Time => {
                let universal = self.universal().map(|(_, minutes)| key(6, minutes));
                universal.chain([key(1, self.value % 720.0)]).collect()
            }
            FigureKind::Date => {
                let year = self.year.map(|year| key(0, f64::from(year)));
                let months = self.values().map(|value| key(2, (value / 100.0).floor()));
                year.into_iter().chain(months).collect()
            }
            // A third and 33.3 percent fall into neighbouring buckets.
            FigureKind::Percent => self.values().flat_map(|value| [key(0, value), key(3, value.round())]).collect(),
            FigureKind::Fraction => {
                (-1..=1).map(|step| key(3, (self.value * 100.0).round() + f64::from(step))).collect()
            }
        }
    }

    /// The number of full centuries before a year. "The 1800s" are the years from 1801 on, too.
    fn hundred(&self, year: f64) -> f64 {
        ((year - if self.written.decade { 0.0 } else { 1.0 }) / 100.0).floor()
    }

    /// The minutes since twelve, if a number with a point is a time of day: 7.30 is half past seven.
    fn clock(&self) -> Option<f64> {
        let (hour, minutes) = (self.value.floor(), (self.value.fract() * 100.0).round());
        (hour < 24.0 && minutes > 0.0 && minutes < 60.0).then_some((hour * 60.0 + minutes) % 720.0)
    }

    /// The share of a whole that it is, if it is a fraction or a percentage.
    pub fn share(&self) -> Option<f64> {
        match self.kind {
            FigureKind::Fraction => Some(self.value),
            FigureKind::Percent => Some(self.value / 100.0),
            _ => None,
        }
    }

    /// Whether it is a month alone: `in May`.
    pub fn bare_month(&self) -> bool {
        self.kind == FigureKind::Date && self.year.is_none() && near(self.value % 100.0, 0.0)
    }

    /// Whether both count things of one kind, so that one could replace the other.
    pub fn comparable(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (FigureKind::Money(a), FigureKind::Money(b)) => alike(a, b),
            (a, b) => a == b,
        }
    }
}

/// Whether two values are equal except for floating-point errors.
pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Whether two signs can mean one currency: a yen is a ¥, a Swedish krona a crown, and pounds are those of any country.
pub fn alike(one: char, other: char) -> bool {
    let wide = |wide: char, narrow: char| match wide {
        '\0' => true,
        '¥' => matches!(narrow, 'J' | 'Y'),
        'k' => matches!(narrow, 's' | 'n' | 'd' | 'c' | 'i'),
        'q' => matches!(narrow, '£' | 'e' | 'l' | 'y' | 'u'),
        'p' => matches!(narrow, 'x' | 'o' | 'g' | 'b' | 'h'),
        _ => false,
    };
    one == other || wide(one, other) || wide(other, one)
}
