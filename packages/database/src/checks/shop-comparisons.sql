-- Checks on shop_comparisons.
ALTER TABLE shop_comparisons
  ADD CONSTRAINT shop_comparisons_counts CHECK (compared >= 0 AND skipped >= 0),
  ADD CONSTRAINT shop_comparisons_site_length CHECK (length(site) BETWEEN 1 AND 300);
