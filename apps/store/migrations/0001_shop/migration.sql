-- The data that the shop's pages, the connector and the tests in e2e/woocommerce-rest need.

-- Products, orders and refunds share one sequence of IDs, as posts do in WooCommerce.
CREATE SEQUENCE post_id START WITH 101;
-- IDs of metadata entries of products, orders, items and refunds.
CREATE SEQUENCE meta_id START WITH 1;
-- IDs of order items.
CREATE SEQUENCE item_id START WITH 1;

CREATE TABLE product (
  id bigint PRIMARY KEY DEFAULT nextval('post_id'),
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  short_description text NOT NULL DEFAULT '',
  sku text NOT NULL DEFAULT '',
  -- Minor units of the shop's currency.
  regular_price bigint NOT NULL CHECK (regular_price >= 0),
  virtual boolean NOT NULL DEFAULT false,
  downloadable boolean NOT NULL DEFAULT false,
  manage_stock boolean NOT NULL DEFAULT false,
  stock_quantity integer,
  -- The illustration on the shop's pages; null for products created through the REST API.
  artwork text,
  menu_order integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  modified_at timestamptz NOT NULL,
  CHECK (manage_stock = (stock_quantity IS NOT NULL))
);
CREATE UNIQUE INDEX product_sku_is_unique ON product (sku) WHERE sku <> '';

CREATE TABLE cart (
  -- SHA-256 of the visitor's cookie, so that a reader of the table cannot take over a cart.
  id bytea PRIMARY KEY,
  -- A token creates at most one order; a changed cart gets a new token.
  submission_token uuid NOT NULL,
  modified_at timestamptz NOT NULL
);

CREATE TABLE cart_item (
  cart_id bytea NOT NULL REFERENCES cart ON DELETE CASCADE,
  product_id bigint NOT NULL REFERENCES product ON DELETE CASCADE,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 99),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (cart_id, product_id)
);

CREATE TABLE shop_order (
  id bigint PRIMARY KEY DEFAULT nextval('post_id'),
  order_key text NOT NULL UNIQUE,
  status text NOT NULL CHECK (status IN (
    'auto-draft', 'pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'checkout-draft', 'trash')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  created_via text NOT NULL,
  customer_note text NOT NULL DEFAULT '',
  billing jsonb NOT NULL,
  payment_method text NOT NULL DEFAULT '',
  payment_method_title text NOT NULL DEFAULT '',
  transaction_id text NOT NULL DEFAULT '',
  -- In minor units with the shop's number of decimals.
  total bigint NOT NULL CHECK (total >= 0),
  stock_reduced boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  modified_at timestamptz NOT NULL,
  paid_at timestamptz,
  completed_at timestamptz,
  cart_id bytea,
  submission_token uuid UNIQUE,
  -- When the order-received page emptied the cart of this order, which it does once.
  cart_emptied_at timestamptz
);
CREATE INDEX shop_order_by_creation ON shop_order (created_at DESC, id DESC);
CREATE INDEX shop_order_by_change ON shop_order (modified_at, id);

CREATE TABLE order_item (
  id bigint PRIMARY KEY DEFAULT nextval('item_id'),
  order_id bigint NOT NULL REFERENCES shop_order ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('line_item', 'fee')),
  name text NOT NULL,
  -- No foreign key: it is kept when the product is deleted, as in WooCommerce.
  product_id bigint NOT NULL DEFAULT 0,
  quantity integer NOT NULL CHECK (quantity >= 0),
  total bigint NOT NULL
);
CREATE INDEX order_item_by_order ON order_item (order_id, id);

CREATE TABLE order_note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES shop_order ON DELETE CASCADE,
  author text NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX order_note_by_order ON order_note (order_id, id);

CREATE TABLE order_refund (
  id bigint PRIMARY KEY DEFAULT nextval('post_id'),
  order_id bigint NOT NULL REFERENCES shop_order ON DELETE CASCADE,
  amount bigint NOT NULL CHECK (amount >= 0),
  reason text NOT NULL DEFAULT '',
  meta_data jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL
);
CREATE INDEX order_refund_by_order ON order_refund (order_id, id);

-- A nonce is accepted once while its timestamp is valid.
CREATE TABLE api_nonce (
  nonce text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX api_nonce_by_expiry ON api_nonce (expires_at);

CREATE TABLE webhook (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  topic text NOT NULL,
  delivery_url text NOT NULL,
  secret text NOT NULL,
  failure_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);

-- Inserted in the transaction of the change; deleted by the worker when it sends the webhook.
CREATE TABLE webhook_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhook ON DELETE CASCADE,
  resource_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (webhook_id, resource_id)
);

CREATE TABLE owner_session (
  -- SHA-256 of the cookie.
  id bytea PRIMARY KEY,
  csrf_token text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Random keys, generated at the first start, so that forms remain valid after a restart.
CREATE TABLE shop_secret (
  name text PRIMARY KEY,
  value bytea NOT NULL
);
