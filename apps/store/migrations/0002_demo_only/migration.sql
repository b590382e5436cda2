-- The shop keeps what its pages, the connector and the facts of e2e/woocommerce-rest need. What only other clients of
-- WooCommerce's API would write goes: drafts, discounts, shipping lines, meta data, refunded items, keys in the database.

-- A product that is not published or has no price was never for sale.
DELETE FROM product WHERE status <> 'publish' OR regular_price IS NULL;
ALTER TABLE product ALTER COLUMN regular_price SET NOT NULL, DROP COLUMN status, DROP COLUMN meta_data;

ALTER TABLE shop_order
  DROP COLUMN status_before_trash, DROP COLUMN parent_id, DROP COLUMN customer_id, DROP COLUMN customer_ip_address,
  DROP COLUMN customer_user_agent, DROP COLUMN shipping, DROP COLUMN shipping_total, DROP COLUMN meta_data;

-- A shipping line costs what it cost, as a fee.
UPDATE order_item SET type = 'fee' WHERE type = 'shipping';
ALTER TABLE order_item
  DROP CONSTRAINT order_item_type_check, ADD CHECK (type IN ('line_item', 'fee')),
  DROP COLUMN method_id, DROP COLUMN subtotal, DROP COLUMN meta_data;

ALTER TABLE order_note DROP COLUMN customer_note;
DROP TABLE refund_item;

-- The one key is in the settings.
DROP TABLE api_nonce, api_key;
CREATE TABLE api_nonce (
  nonce text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX api_nonce_by_expiry ON api_nonce (expires_at);

-- Topics that are told no more.
DELETE FROM webhook WHERE topic NOT IN ('order.updated', 'order.deleted');
ALTER TABLE webhook DROP COLUMN pending_ping, DROP COLUMN modified_at;
