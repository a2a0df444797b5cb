"""How the extractive engine words what it makes: sentences that stand alone, gists, insights."""
