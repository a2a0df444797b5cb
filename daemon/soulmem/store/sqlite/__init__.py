"""SQLite itself: the driver, the files of a mind, the writer thread, migrations, locks."""
