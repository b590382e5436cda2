-- Checks on shop_differences: known subjects and repairs, and texts of bounded length.
ALTER TABLE shop_differences
  ADD CONSTRAINT shop_differences_subject CHECK (subject IN ('order', 'refund', 'record')),
  ADD CONSTRAINT shop_differences_repair CHECK (repair IN ('apply_order', 'cancel_open', 'record_refund')),
  ADD CONSTRAINT shop_differences_lengths CHECK (length(order_id) <= 64 AND length(order_number) <= 64 AND length(order_url) <= 500 AND length(subject_id) <= 64),
  ADD CONSTRAINT shop_differences_values CHECK (jsonb_typeof(text_values) = 'object');
