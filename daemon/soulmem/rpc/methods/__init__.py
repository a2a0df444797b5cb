"""The methods of the protocol: parameters in, one call, a shape out."""
