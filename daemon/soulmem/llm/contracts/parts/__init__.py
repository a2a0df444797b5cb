"""What several contracts share: labels, fields of answers, roles and lines of prompts."""
