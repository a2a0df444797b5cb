"""What a mind makes of a month: invented lives in English and Chinese, and what it concluded from them."""
