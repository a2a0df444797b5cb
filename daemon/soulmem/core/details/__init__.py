"""The details of a note that fade: their gists, masks, rehearsal, reconstruction and drift."""
