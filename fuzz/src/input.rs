//! Inputs read as programs.
/// Takes decisions from an input; zeros after its end.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Input(bytes)
    }
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }
    pub fn number(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }
    pub fn take(&mut self, length: usize) -> &'a [u8] {
        let (now, later) = self.0.split_at(length.min(self.0.len()));
        self.0 = later;
        now
    }
}
