"""What all workers of a talking mind share: backpressure, and the audience of a call."""
