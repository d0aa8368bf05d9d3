"""Questions with known answers, asked through the product's own store."""
