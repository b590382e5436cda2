-- What the console's search asks for. Orders of the Pay API have no order number, and few refunds a reference.
CREATE INDEX orders_by_order_number ON orders (merchant_id, mode, order_number, created_at DESC, id DESC) WHERE order_number IS NOT NULL;
CREATE INDEX refunds_by_reference ON refunds (merchant_id, mode, reference, created_at DESC, id DESC) WHERE reference IS NOT NULL;
