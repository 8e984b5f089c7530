//! Bars and sparklines out of block characters. The caller writes the number beside each.

/// The eighths of a bar that grows to the right.
const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// The eighths of a bar that grows upwards.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The part that `value` is of `most`, in `steps`; at least 1 for anything above 0.
fn steps(value: f64, most: f64, steps: u16) -> u16 {
    if value <= 0.0 || most <= 0.0 {
        return 0;
    }
    let wanted = (value / most).min(1.0) * f64::from(steps);
    (1..=steps).rev().find(|step| f64::from(*step) <= wanted + 0.5).unwrap_or(1).min(steps)
}

/// A bar of `value` out of `most`, in `room` columns. Nothing is empty, and anything above nothing is seen.
pub fn bar(value: f64, most: f64, room: u16) -> String {
    let eighths = usize::from(steps(value, most, room.saturating_mul(8)));
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).and_then(|part| PARTS.get(part)));
    let drawn = eighths.div_ceil(8);
    bar.extend(std::iter::repeat_n(' ', usize::from(room).saturating_sub(drawn)));
    bar
}

/// `of` slots: `used` of them are at work, and the rest stand ready. In `room` columns, if there are more slots than that.
pub fn slots(used: u64, of: u64, room: u16) -> String {
    let room = u64::from(room);
    let cells = usize::try_from(of.min(room)).unwrap_or(0);
    let full = if of > room { used.min(of).saturating_mul(room).div_ceil(of) } else { used };
    let full = usize::try_from(full).unwrap_or(cells).min(cells);
    format!(
        "{}{}{}",
        "■".repeat(full),
        "·".repeat(cells - full),
        " ".repeat(usize::try_from(room).unwrap_or(0) - cells)
    )
}

/// A column of `width` for each value: a dot for nothing, a blank for what is still to come.
pub fn spark(values: &[Option<f64>], width: usize) -> String {
    let most = values.iter().flatten().fold(0.0, |most: f64, value| most.max(*value));
    let column = |value: &Option<f64>| match value {
        None => ' ',
        Some(value) => {
            let level = usize::from(steps(*value, most, 8));
            level.checked_sub(1).and_then(|level| LEVELS.get(level)).copied().unwrap_or('·')
        }
    };
    values.iter().flat_map(|value| std::iter::repeat_n(column(value), width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share_and_little_is_not_nothing() {
        assert_eq!([bar(0.0, 9.0, 4), bar(9.0, 9.0, 4), bar(1.0, 1_000.0, 4)], ["    ", "████", "▏   "]);
        assert_eq!([bar(4.5, 9.0, 3), bar(3.0, 0.0, 2), bar(9.0, 3.0, 2)], ["█▌ ", "  ", "██"]);
        assert_eq!(bar(1.0, 1.0, 0), "");
    }

    #[test]
    fn slots_stand_each_for_themselves_as_far_as_there_is_room() {
        assert_eq!([slots(1, 4, 6), slots(4, 4, 6), slots(0, 2, 2)], ["■···  ", "■■■■  ", "··"]);
        assert_eq!([slots(1, 100, 5), slots(100, 100, 5), slots(0, 100, 5)], ["■····", "■■■■■", "·····"]);
        assert_eq!([slots(3, 2, 4), slots(3, 0, 2), slots(3, 2, 0)], ["■■  ", "  ", ""], "more than its own slots");
    }

    #[test]
    fn hours_are_scaled_to_the_greatest_and_those_to_come_are_blank() {
        let hours = [Some(0.0), Some(1.0), Some(400.0), Some(800.0), None];
        assert_eq!(spark(&hours, 1), "·▁▄█ ");
        assert_eq!(spark(&hours[2..], 2), "▄▄██  ");
        assert_eq!(spark(&[Some(0.0)], 1), "·");
    }
}
