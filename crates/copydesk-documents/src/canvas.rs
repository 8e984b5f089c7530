//! Decides whether anybody sees the letters of a PDF's page, by what is below them: fillings and pictures drawn before
//! them, the edge of the page, their transparency.
//!
//! Not known here: what is drawn over letters later, what clips them, and what a picture shows below them.

use hayro_interpret::{
    Paint,
    kurbo::{Affine, BezPath, Point, Rect, Shape as _},
};

use super::hidden::{Rgb, is_seen};

/// Most fillings of a page that are remembered; of more, the last ones.
const MOST: usize = 512;

/// A filling with more corners than this counts as its bounds.
const MOST_CORNERS: usize = 256;

/// The size below which nobody sees a letter, in points; on a page that is measured in other units, this share of its longer side.
const TINY: f64 = 1.0;
const TINY_SHARE: f64 = 1.0 / 800.0;

/// Whether anybody sees a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Seen,
    /// Nobody sees it, but a picture lies there: text recognition writes its words so.
    Recognised,
    /// Nobody does, and how it is hidden.
    Hidden(&'static str),
}

/// The page below the letters.
#[derive(Default)]
pub(super) struct Canvas {
    page: Rect,
    painted: Vec<Painted>,
    /// Of the groups that are open.
    pub(super) opacities: Vec<f32>,
}

struct Painted {
    bounds: Rect,
    /// The outline, if it is no more than its bounds.
    outline: Option<BezPath>,
    /// None: a picture or a pattern.
    colour: Option<Rgb>,
}

impl Canvas {
    pub(super) fn of(page: hayro_interpret::hayro_syntax::object::Rect) -> Self {
        Self { page: Rect::new(page.x0, page.y0, page.x1, page.y1), ..Self::default() }
    }

    /// A paint's colour and how opaque it is; none of a pattern.
    pub(super) fn ink(paint: &Paint<'_>) -> Option<(Rgb, f32)> {
        let Paint::Color(colour) = paint else { return None };
        let [red, green, blue, alpha] = colour.to_rgba().components();
        Some((Rgb(red.into(), green.into(), blue.into()), alpha))
    }

    /// A path is filled.
    pub(super) fn fill(&mut self, path: &BezPath, transform: Affine, ink: Option<(Rgb, f32)>) {
        if ink.is_some_and(|(_, alpha)| alpha < 0.5) {
            return;
        }
        let short = path.elements().len() <= MOST_CORNERS;
        let outline = short.then(|| transform * path.clone());
        let bounds = match &outline {
            Some(outline) => outline.bounding_box(),
            None => transform.transform_rect_bbox(path.control_box()),
        };
        self.paint(Painted { bounds, outline, colour: ink.map(|(colour, _)| colour) });
    }

    /// A picture of so many pixels is drawn.
    pub(super) fn picture(&mut self, width: u32, height: u32, transform: Affine) {
        let bounds = transform.transform_rect_bbox(Rect::new(0.0, 0.0, width.into(), height.into()));
        self.paint(Painted { bounds, outline: None, colour: None });
    }

    fn paint(&mut self, painted: Painted) {
        if self.painted.len() >= 2 * MOST {
            self.painted.drain(..MOST);
        }
        self.painted.push(painted);
    }

    /// Whether anybody sees a letter of a size at a place.
    pub(super) fn sight(&self, place: Point, size: f64, ink: Option<(Rgb, f32)>, invisible: bool) -> Sight {
        if !self.page.inflate(size, size).contains(place) && self.page.area() > 0.0 {
            return Sight::Hidden("text outside the page");
        }
        let longer = self.page.width().max(self.page.height());
        if size < TINY.min(longer * TINY_SHARE) {
            return Sight::Hidden("letters too small to see");
        }
        let opacity: f32 = self.opacities.iter().product();
        if invisible || opacity * ink.map_or(1.0, |(_, alpha)| alpha) < 0.05 {
            let pictured =
                self.painted.iter().any(|painted| painted.colour.is_none() && painted.bounds.contains(place));
            return if pictured { Sight::Recognised } else { Sight::Hidden("invisible letters") };
        }
        let Some((ink, _)) = ink else { return Sight::Seen };
        // A letter's first corner lies on its background, or a little below it.
        let inside = place + (size * 0.1, size * 0.2);
        let below = self.painted.iter().rev().take(MOST).find(|painted| painted.covers(inside));
        match below.map_or(Some(Rgb::WHITE), |painted| painted.colour) {
            Some(below) if !is_seen(ink, below) => Sight::Hidden("letters in the colour of the page"),
            _ => Sight::Seen,
        }
    }
}

impl Painted {
    fn covers(&self, place: Point) -> bool {
        self.bounds.contains(place) && self.outline.as_ref().is_none_or(|outline| outline.contains(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_seen_on_another_colour_alone() {
        let black = Some((Rgb(0.0, 0.0, 0.0), 1.0));
        let white = Some((Rgb::WHITE, 1.0));
        let mut canvas = Canvas { page: Rect::new(0.0, 0.0, 600.0, 800.0), ..Canvas::default() };
        let (inside, outside) = (Point::new(100.0, 100.0), Point::new(100.0, -50.0));
        assert_eq!(canvas.sight(inside, 10.0, black, false), Sight::Seen);
        assert_eq!(canvas.sight(inside, 10.0, None, false), Sight::Seen);
        assert_eq!(canvas.sight(inside, 10.0, white, false), Sight::Hidden("letters in the colour of the page"));
        assert_eq!(canvas.sight(outside, 10.0, black, false), Sight::Hidden("text outside the page"));
        assert_eq!(canvas.sight(inside, 0.01, black, false), Sight::Hidden("letters too small to see"));
        assert_eq!(canvas.sight(inside, 10.0, black, true), Sight::Hidden("invisible letters"));
        canvas.opacities.push(0.0);
        assert_eq!(canvas.sight(inside, 10.0, black, false), Sight::Hidden("invisible letters"));
        canvas.opacities.pop();
        let square = Rect::new(90.0, 90.0, 200.0, 200.0).to_path(0.1);
        canvas.fill(&square, Affine::IDENTITY, black);
        assert_eq!(canvas.sight(inside, 10.0, white, false), Sight::Seen);
        assert_eq!(canvas.sight(inside, 10.0, black, false), Sight::Hidden("letters in the colour of the page"));
        canvas.picture(2, 2, Affine::scale(100.0));
        assert_eq!(canvas.sight(inside, 10.0, white, false), Sight::Seen);
        assert_eq!(canvas.sight(inside, 10.0, black, true), Sight::Recognised);
    }
}
