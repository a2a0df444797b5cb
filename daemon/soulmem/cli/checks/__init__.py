"""What `soulmem doctor` looks at: the daemon, the state directory, the endpoint."""
