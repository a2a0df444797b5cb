"""The window: a page in the browser that shows what a mind remembers, why, and how it fades."""
