"""One reader for each format, and how a file is recognised by what stands in it."""
