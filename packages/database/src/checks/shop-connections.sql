-- Checks on shop_connections.
ALTER TABLE shop_connections
  ADD CONSTRAINT shop_connections_platform CHECK (platform IN ('woocommerce', 'connector')),
  ADD CONSTRAINT shop_connections_named CHECK (shop_name <> '' AND length(shop_name) <= 100),
  ADD CONSTRAINT shop_connections_exchanged CHECK ((exchanged_at IS NULL) = (cardinality(credential_ids) = 0));
