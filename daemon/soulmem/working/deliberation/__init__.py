"""Recalls that are thought over: what a question means, and a model that judges what came to mind and is led on."""
