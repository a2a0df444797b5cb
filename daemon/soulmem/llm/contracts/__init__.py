"""One contract per task: what the model is shown, the shape it must answer in, and how its answer is checked."""
