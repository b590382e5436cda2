-- Rows of a database of 0.1.0, whose last migration is 0001_baseline.
INSERT INTO "merchants" (id, name, created_at, partner_api_enabled, refunds_need_approval) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'Old shop', '2026-11-22 10:14:52.588403+00', false, false);

INSERT INTO "credentials" (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id, created_at, read_only, order_only) VALUES
  ('87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'client', 'tg_sandbox_old', '\x32b027ce4760dec0f12c1ef5d8fa46c5a094e74e5631b6879ba0782cb864e831', '\x32b027ce4760dec0f12c1ef5d8fa46c5a094e74e5631b6879ba0782cb864e831', 'k1', '2026-11-22 10:14:52.591662+00', false, false);

INSERT INTO "currencies" (code, digits, name, symbol, active, type, single_administrator_limit) VALUES
  ('EUR', 2, 'Euro', '€', true, 'fiat', 0),
  ('USD', 2, 'US dollar', '$', true, 'fiat', 0);

INSERT INTO "wallet_users" (id, mode, name, email, active, created_at) VALUES
  ('0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'sandbox', 'Old shopper', 'old@example.com', true, '2026-11-22 10:14:52.606571+00');

INSERT INTO "wallet_sessions" (id, mode, wallet_user_id, token_hash, created_at, expires_at, revoked_at, pin_entered_at, rotated_at, remembered) VALUES
  ('aa814ee3-0815-428b-b132-df80998263b7', 'sandbox', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', '\x96dfd3868ecec31b6e28e110a04d54a89356e7bd5a7e750fac19e29148aba034', '2026-11-22 10:14:52.612983+00', '2026-11-23 10:14:52.612983+00', '2026-11-26 00:35:57.925136+00', '2026-11-22 10:14:52.613433+00', '2026-11-22 10:14:52.613433+00', true);

INSERT INTO "accounts" (id, mode, currency, kind, merchant_id, wallet_user_id, balance, created_at) VALUES
  ('0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', 'hold', '84742873-7407-48eb-8f7d-df154855ad86', NULL, 610, '2026-11-22 10:14:52.620403+00'),
  ('25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', 'issuing', NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', 'fx', NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('485cb58c-28d0-4cb2-ac04-d6c08b5bf99e', 'sandbox', 'EUR', 'fees', NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', 'shopper', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 98981, '2026-11-22 10:14:52.942399+00'),
  ('b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', 'fx', NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('cedd2730-ead4-4573-b0ac-c8cf44b95903', 'sandbox', 'USD', 'issuing', NULL, NULL, NULL, '2026-11-22 10:14:52.620403+00'),
  ('dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 'merchant', '84742873-7407-48eb-8f7d-df154855ad86', NULL, 3697, '2026-11-22 10:14:52.620403+00'),
  ('f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 'shopper', NULL, '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 101600, '2026-11-22 10:14:52.620403+00');

INSERT INTO "transfers" (id, mode, kind, external_reference, created_at) VALUES
  ('19354662-b035-401c-893a-2703f7551966', 'sandbox', 'hold', NULL, '2026-11-22 10:14:52.865293+00'),
  ('2c71b9fa-c79b-4b69-8efb-592c7330b486', 'sandbox', 'payment', NULL, '2026-11-22 10:14:52.848031+00'),
  ('3fef2a47-353c-4f90-9159-5c20c8c28872', 'sandbox', 'payment', NULL, '2026-11-22 10:14:52.973483+00'),
  ('63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'sandbox', 'payment', NULL, '2026-11-22 10:14:52.765908+00'),
  ('77e2ccf7-3460-42d8-896c-1b021b835e12', 'sandbox', 'refund', NULL, '2026-11-22 10:14:52.819751+00'),
  ('7cddf1d7-85ac-4028-9166-4f9c405abcc2', 'sandbox', 'deposit', 'opening', '2026-11-22 10:14:52.634903+00'),
  ('94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'sandbox', 'payment', NULL, '2026-11-22 10:14:52.711133+00'),
  ('a9a42a4e-a6e6-4a48-a645-89e5fed11279', 'sandbox', 'deposit', 'wire 1', '2026-11-22 10:14:52.925636+00'),
  ('b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', 'sandbox', 'hold', NULL, '2026-11-22 10:14:52.913+00'),
  ('bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'sandbox', 'refund', NULL, '2026-11-22 10:14:52.998357+00'),
  ('c8a23202-d3de-45da-804b-bd9c624957da', 'sandbox', 'payout', NULL, '2026-11-22 10:14:52.899707+00'),
  ('e034be19-f06d-45ee-946b-4b514d6b7a42', 'sandbox', 'deposit', 'opening usd', '2026-11-22 10:14:52.943639+00'),
  ('eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'sandbox', 'refund', NULL, '2026-11-22 10:14:52.781445+00'),
  ('f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'sandbox', 'payment', NULL, '2026-11-22 10:14:52.750654+00');

INSERT INTO "entries" (id, transfer_id, account_id, mode, currency, amount) VALUES
  (1, '7cddf1d7-85ac-4028-9166-4f9c405abcc2', '25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', -100000),
  (10, 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 250),
  (11, '77e2ccf7-3460-42d8-896c-1b021b835e12', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -1250),
  (12, '77e2ccf7-3460-42d8-896c-1b021b835e12', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 1250),
  (13, '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', -1250),
  (14, '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 1250),
  (15, '19354662-b035-401c-893a-2703f7551966', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -500),
  (16, '19354662-b035-401c-893a-2703f7551966', '0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', 500),
  (17, 'c8a23202-d3de-45da-804b-bd9c624957da', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -110),
  (18, 'c8a23202-d3de-45da-804b-bd9c624957da', '485cb58c-28d0-4cb2-ac04-d6c08b5bf99e', 'sandbox', 'EUR', 10),
  (19, 'c8a23202-d3de-45da-804b-bd9c624957da', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 100),
  (2, '7cddf1d7-85ac-4028-9166-4f9c405abcc2', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 100000),
  (20, 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -110),
  (21, 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', '0c6b8f81-2f38-4f28-8128-5e484ab2cc77', 'sandbox', 'EUR', 110),
  (22, 'a9a42a4e-a6e6-4a48-a645-89e5fed11279', '25290cd3-4eaa-44e2-9d6c-af88fd7f5393', 'sandbox', 'EUR', -5000),
  (23, 'a9a42a4e-a6e6-4a48-a645-89e5fed11279', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', 5000),
  (24, 'e034be19-f06d-45ee-946b-4b514d6b7a42', 'cedd2730-ead4-4573-b0ac-c8cf44b95903', 'sandbox', 'USD', -100000),
  (25, 'e034be19-f06d-45ee-946b-4b514d6b7a42', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', 100000),
  (26, '3fef2a47-353c-4f90-9159-5c20c8c28872', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', -1389),
  (27, '3fef2a47-353c-4f90-9159-5c20c8c28872', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 1250),
  (28, '3fef2a47-353c-4f90-9159-5c20c8c28872', 'b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', 1389),
  (29, '3fef2a47-353c-4f90-9159-5c20c8c28872', '37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', -1250),
  (3, '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', -1250),
  (30, 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -333),
  (31, 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'sandbox', 'USD', 370),
  (32, 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '37aafca5-327b-4c71-bf0e-11753164cf41', 'sandbox', 'EUR', 333),
  (33, 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', 'b72c604d-c450-42a2-977a-44ffe2b37d25', 'sandbox', 'USD', -370),
  (4, '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 1250),
  (5, 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', -1250),
  (6, 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 1250),
  (7, '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 'sandbox', 'EUR', -1250),
  (8, '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', 1250),
  (9, 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', 'dbde77a3-b913-4406-8652-ae02f14c7f28', 'sandbox', 'EUR', -250);

INSERT INTO "orders" (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, status, state, callback_url, expires_at, created_at, paid_at, trx_id, transfer_id, payer_account_id, refunded, refund_pending, version, payer_amount, payer_currency, quote_id) VALUES
  ('ord_18ec240a033bf1e8b404b56f', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'c184caec-54fe-4e45-b966-b9e573b61ee4', 1250, 'EUR', 'both', 'CANCELLED', 'CANCELLED', 'https://shop.example/callback', '2036-11-19 10:14:52.660664+00', '2026-11-22 10:14:52.660664+00', NULL, NULL, NULL, NULL, 0, 0, 2, NULL, NULL, NULL),
  ('ord_5cac7cd99eb9b614c07943f3', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'f0a6f5ce-7530-48af-ad97-2eb79dcedd7c', 1250, 'EUR', 'both', 'PENDING', 'PENDING', 'https://shop.example/callback', '2036-11-19 10:14:52.646004+00', '2026-11-22 10:14:52.646004+00', NULL, NULL, NULL, NULL, 0, 0, 1, NULL, NULL, NULL),
  ('ord_6105e8b927ab4f91dc7775d4', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '779619cc-31dc-49c0-a21d-4fba6cac3c15', 1250, 'EUR', 'both', 'PAID', 'PAID', 'https://shop.example/callback', '2036-11-19 10:14:52.662812+00', '2026-11-22 10:14:52.662812+00', '2026-11-22 10:14:52.712258+00', 'TRX615080530745', '94efe4ed-8c9a-40a7-86aa-f4f0622e09aa', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 0, 0, 2, 1250, 'EUR', NULL),
  ('ord_7f7f5382c72d69e97241ce76', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'ffa3bc52-468f-4c38-8c8d-ea37dd4d6563', 1250, 'EUR', 'both', 'PAID', 'REFUNDED', 'https://shop.example/callback', '2036-11-19 10:14:52.666519+00', '2026-11-22 10:14:52.666519+00', '2026-11-22 10:14:52.76657+00', 'TRXd4cb56c9bf29', '63a7e575-94bd-4c1c-abdb-94f14fd8134b', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 1250, 0, 3, 1250, 'EUR', NULL),
  ('ord_9e13349cfb834734a232a5e7', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'bbfee9fa-2861-4259-83ba-6d14a2356a7f', 1250, 'EUR', 'both', 'PAID', 'REFUND_PENDING', 'https://shop.example/callback', '2036-11-19 10:14:52.846333+00', '2026-11-22 10:14:52.846333+00', '2026-11-22 10:14:52.852676+00', 'TRXb04e5ab8106d', '2c71b9fa-c79b-4b69-8efb-592c7330b486', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 0, 500, 3, 1250, 'EUR', NULL),
  ('ord_d105937111a2f508ddf3c8d9', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '87a393f3-d3b8-44ba-8395-9426d0690ffe', 1250, 'EUR', 'both', 'PAID', 'PAID', 'https://shop.example/callback', '2036-11-19 10:14:52.949466+00', '2026-11-22 10:14:52.949466+00', '2026-11-22 10:14:52.974496+00', 'TRX0f52c428e453', '3fef2a47-353c-4f90-9159-5c20c8c28872', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 333, 0, 3, 1389, 'USD', '52492354-d8cb-46b1-aec2-42af41e6eebc'),
  ('ord_d74b20ce3d5a2a79eb4f949d', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', '46c9cc2b-75b2-4fc9-8157-01d40259bae7', 1250, 'EUR', 'both', 'PAID', 'PAID', 'https://shop.example/callback', '2036-11-19 10:14:52.664706+00', '2026-11-22 10:14:52.664706+00', '2026-11-22 10:14:52.751482+00', 'TRX45c10c3eb795', 'f1c3cfd5-fdbc-4fcd-9bcb-35893a864195', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 250, 0, 3, 1250, 'EUR', NULL);

INSERT INTO "refunds" (id, mode, merchant_id, order_id, amount, currency, status, reason, transfer_id, created_at, settled_at, hold_transfer_id, payer_amount) VALUES
  ('ref_06218e314859463a54d8985e', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_9e13349cfb834734a232a5e7', 500, 'EUR', 'pending', 'old', NULL, '2026-11-22 10:14:52.865977+00', NULL, '19354662-b035-401c-893a-2703f7551966', NULL),
  ('ref_0e68cf6ce6223f601e9a4a53', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_d74b20ce3d5a2a79eb4f949d', 250, 'EUR', 'completed', 'old', 'eb4a0eb3-68e3-454f-a6b3-6701f92faa97', '2026-11-22 10:14:52.782104+00', '2026-11-22 10:14:52.782104+00', NULL, 250),
  ('ref_32e37b9d63b8eb0902e6baa3', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_d105937111a2f508ddf3c8d9', 333, 'EUR', 'completed', 'old', 'bcdf6375-ab70-4d2c-a9a5-7e5f168ad845', '2026-11-22 10:14:52.999309+00', '2026-11-22 10:14:52.999309+00', NULL, 370),
  ('ref_fd32d6d102ac78d3fbbe684b', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'ord_7f7f5382c72d69e97241ce76', 1250, 'EUR', 'completed', 'old', '77e2ccf7-3460-42d8-896c-1b021b835e12', '2026-11-22 10:14:52.827971+00', '2026-11-22 10:14:52.827971+00', NULL, 1250);

INSERT INTO "day_counts" (merchant_id, mode, kind, day, status, count) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUNDED', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22', 'pending', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PENDING', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22', 'completed', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'CANCELLED', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'pending', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUND_PENDING', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PAID', 3),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'completed', 3);

INSERT INTO "idempotency_keys" (merchant_id, mode, operation, key, request_hash, resource_id, created_at) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'create_order', 'old key', '\xdfcafae694259c719203dd502252ab975bf6849dc6c8f5fcbe1eda19a821db4d', 'ord_5cac7cd99eb9b614c07943f3', '2026-11-22 10:14:52.644478+00'),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund_payment', 'old refund', '\x1e472b39b105d349bcd069c4a711b44a2fffb8e274714bb07ecfff69a9a7f67b', 'ref_0e68cf6ce6223f601e9a4a53', '2026-11-22 10:14:52.778876+00');

INSERT INTO "events" (id, mode, merchant_id, name, order_id, body, created_at, turn, number, refund_id, payout_id) VALUES
  ('evt_09894f0f8acb4196b060498dbefdd81f', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_09894f0f8acb4196b060498dbefdd81f", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"refund_id" : "ref_fd32d6d102ac78d3fbbe684b", "transaction_id" : "TRXd4cb56c9bf29", "amount" : "12.50 EUR", "raw_amount" : 12.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_7f7f5382c72d69e97241ce76"}}', '2026-11-22 10:14:52.83017+00', 1106, 6, 'ref_fd32d6d102ac78d3fbbe684b', NULL),
  ('evt_0eb89cd1eee04ca4a18802d87623666a', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'payout.completed', NULL, '{"id" : "evt_0eb89cd1eee04ca4a18802d87623666a", "event" : "payout.completed", "payout_id" : "pay_f0adfb0f9dfd26c1ae9aa276", "reference" : "old-1", "amount" : 1.00, "currency" : "EUR", "fee" : 0.10, "total_deducted" : 1.10, "exchange_rate" : 1, "receiver_amount" : 1.00, "receiver_currency" : "EUR", "status" : "completed", "processed_at" : "2026-11-22T10:14:52+00:00", "timestamp" : "2026-11-22T10:14:52+00:00"}', '2026-11-22 10:14:52.909503+00', 1112, 9, NULL, 'pay_f0adfb0f9dfd26c1ae9aa276'),
  ('evt_26b1d76166b54c04add5a1eec7fb707d', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_d74b20ce3d5a2a79eb4f949d', '{"id" : "evt_26b1d76166b54c04add5a1eec7fb707d", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"refund_id" : "ref_0e68cf6ce6223f601e9a4a53", "transaction_id" : "TRX45c10c3eb795", "amount" : "2.50 EUR", "raw_amount" : 2.50, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_d74b20ce3d5a2a79eb4f949d"}}', '2026-11-22 10:14:52.795357+00', 1105, 5, 'ref_0e68cf6ce6223f601e9a4a53', NULL),
  ('evt_62582e14d93542d8a687baf2bf1851c2', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.cancelled', 'ord_18ec240a033bf1e8b404b56f', '{"id" : "evt_62582e14d93542d8a687baf2bf1851c2", "event" : "pos.order.cancelled", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_18ec240a033bf1e8b404b56f", "amount" : 12.50, "currency" : "EUR", "status" : "CANCELLED", "reference" : null, "terminal_id" : null, "trx_id" : null, "paid_at" : null, "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.681566+00', 1101, 1, NULL, NULL),
  ('evt_74b69b80a9734c91bd5bc76db9cfd3da', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_6105e8b927ab4f91dc7775d4', '{"id" : "evt_74b69b80a9734c91bd5bc76db9cfd3da", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_6105e8b927ab4f91dc7775d4", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX615080530745", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.722682+00', 1102, 2, NULL, NULL),
  ('evt_a04e8e9eb88e418786db3a29ed6363b2', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_d105937111a2f508ddf3c8d9', '{"id" : "evt_a04e8e9eb88e418786db3a29ed6363b2", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_d105937111a2f508ddf3c8d9", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX0f52c428e453", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.986131+00', 1120, 10, NULL, NULL),
  ('evt_ba309f2087df4c57a57b203a324ac4ef', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_d74b20ce3d5a2a79eb4f949d', '{"id" : "evt_ba309f2087df4c57a57b203a324ac4ef", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_d74b20ce3d5a2a79eb4f949d", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRX45c10c3eb795", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.753429+00', 1103, 3, NULL, NULL),
  ('evt_bbc8befa3f2747c1bf62e26aee768ef6', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_bbc8befa3f2747c1bf62e26aee768ef6", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_7f7f5382c72d69e97241ce76", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXd4cb56c9bf29", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.767623+00', 1104, 4, NULL, NULL),
  ('evt_bcdeba476c2c453dbffe01e55a5e145c', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.paid', 'ord_9e13349cfb834734a232a5e7', '{"id" : "evt_bcdeba476c2c453dbffe01e55a5e145c", "event" : "pos.order.paid", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_9e13349cfb834734a232a5e7", "amount" : 12.50, "currency" : "EUR", "status" : "PAID", "reference" : null, "terminal_id" : null, "trx_id" : "TRXb04e5ab8106d", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 0.00, "version" : 2}}', '2026-11-22 10:14:52.853325+00', 1108, 8, NULL, NULL),
  ('evt_e74c3fac943e4af8a678994a73d28f44', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'refund.completed', 'ord_d105937111a2f508ddf3c8d9', '{"id" : "evt_e74c3fac943e4af8a678994a73d28f44", "event" : "refund.completed", "timestamp" : "2026-11-22T10:14:53+00:00", "data" : {"refund_id" : "ref_32e37b9d63b8eb0902e6baa3", "transaction_id" : "TRX0f52c428e453", "amount" : "3.33 EUR", "raw_amount" : 3.33, "currency" : "EUR", "status" : "completed", "reason" : "old", "reference" : null, "created_at" : "2026-11-22T10:14:52+00:00", "order_id" : "ord_d105937111a2f508ddf3c8d9"}}', '2026-11-22 10:14:53.006387+00', 1121, 11, 'ref_32e37b9d63b8eb0902e6baa3', NULL),
  ('evt_ed08925a670e4f2b88ea2c5d342b12c4', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'pos.order.refunded', 'ord_7f7f5382c72d69e97241ce76', '{"id" : "evt_ed08925a670e4f2b88ea2c5d342b12c4", "event" : "pos.order.refunded", "timestamp" : "2026-11-22T10:14:52+00:00", "data" : {"order_id" : "ord_7f7f5382c72d69e97241ce76", "amount" : 12.50, "currency" : "EUR", "status" : "REFUNDED", "reference" : null, "terminal_id" : null, "trx_id" : "TRXd4cb56c9bf29", "paid_at" : "2026-11-22T10:14:52+00:00", "order_number" : null, "custom" : null, "refunded_amount" : 12.50, "version" : 3}}', '2026-11-22 10:14:52.831296+00', 1106, 7, NULL, NULL);

INSERT INTO "receivers" (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id, disabled_at, created_at, deliveries_lag, disabled_reason, failures_in_row) VALUES
  ('b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'https://shop.example/hook', '{pos.order.paid,refund.completed}', '\x78', 'k1', NULL, '2026-11-22 10:14:52.615401+00', false, NULL, 0),
  ('bac49608-04fe-4e4d-b39a-7b19aa29df68', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'https://gone.example/hook', '{pos.order.paid}', '\x78', 'k1', '2026-11-22 10:14:52.617634+00', '2026-11-22 10:14:52.617634+00', false, 'gone', 0);

INSERT INTO "deliveries" (id, mode, event_id, receiver_id, credential_id, address, status, attempt_count, next_attempt_at, created_at, attempts_before, merchant_id, queue_id, lane_id, in_backlog) VALUES
  ('0319369d-33bd-40b7-b5a4-9907257d4873', 'sandbox', 'evt_09894f0f8acb4196b060498dbefdd81f', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.830872+00', '2026-11-22 10:14:52.830872+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('0b4a65b9-2414-48b0-9248-272e2853a9ff', 'sandbox', 'evt_bbc8befa3f2747c1bf62e26aee768ef6', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.771515+00', '2026-11-22 10:14:52.771515+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('198f22dc-495b-45b8-b9fe-d0d436d1fc9a', 'sandbox', 'evt_74b69b80a9734c91bd5bc76db9cfd3da', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.723026+00', '2026-11-22 10:14:52.723026+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('2065a8f5-d2da-4507-907a-1c1489fe7e0b', 'sandbox', 'evt_26b1d76166b54c04add5a1eec7fb707d', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.795803+00', '2026-11-22 10:14:52.795803+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('2de57185-26d1-47e5-97bb-d92cb64680f4', 'sandbox', 'evt_e74c3fac943e4af8a678994a73d28f44', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:53.006678+00', '2026-11-22 10:14:53.006678+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('41fb2dc4-0882-4078-b9f2-e80760d9da92', 'sandbox', 'evt_ba309f2087df4c57a57b203a324ac4ef', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.75419+00', '2026-11-22 10:14:52.75419+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('43500e59-dbd4-4d53-85db-34239e8ec59f', 'sandbox', 'evt_a04e8e9eb88e418786db3a29ed6363b2', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.986302+00', '2026-11-22 10:14:52.986302+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('43c2545a-2dd9-4073-b70e-3c41a40d81a8', 'sandbox', 'evt_ed08925a670e4f2b88ea2c5d342b12c4', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.831411+00', '2026-11-22 10:14:52.831412+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('5f46c967-855b-42c0-a7fb-a5f2075a1e93', 'sandbox', 'evt_26b1d76166b54c04add5a1eec7fb707d', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.796273+00', '2026-11-22 10:14:52.796273+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('785f6433-d485-479f-b2b3-f37c62e8a10d', 'sandbox', 'evt_62582e14d93542d8a687baf2bf1851c2', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.683385+00', '2026-11-22 10:14:52.683385+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('793e7a0d-8b1e-48db-a3ff-96dd7a365927', 'sandbox', 'evt_09894f0f8acb4196b060498dbefdd81f', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.830498+00', '2026-11-22 10:14:52.830498+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('885765d3-bccb-4b38-9293-c72bfb35e999', 'sandbox', 'evt_bbc8befa3f2747c1bf62e26aee768ef6', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.767946+00', '2026-11-22 10:14:52.767946+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('8cadb67d-5585-4f7f-aeed-2a0d199b5ab3', 'sandbox', 'evt_a04e8e9eb88e418786db3a29ed6363b2', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.986538+00', '2026-11-22 10:14:52.986538+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('abad23d6-a1f0-4b88-98eb-189c06dfdc4b', 'sandbox', 'evt_e74c3fac943e4af8a678994a73d28f44', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:53.007094+00', '2026-11-22 10:14:53.007094+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('c7acea00-109f-440e-a94a-bea460c243ed', 'sandbox', 'evt_ba309f2087df4c57a57b203a324ac4ef', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.75378+00', '2026-11-22 10:14:52.75378+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('dca4b610-507d-4937-bd48-4b5f02ee1c83', 'sandbox', 'evt_bcdeba476c2c453dbffe01e55a5e145c', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.853556+00', '2026-11-22 10:14:52.853556+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false),
  ('f1cde456-c7c5-42e2-9ba7-a7524926b06a', 'sandbox', 'evt_bcdeba476c2c453dbffe01e55a5e145c', NULL, '87282dc8-d6ef-4ed8-bfbd-ffa965326a4e', 'https://shop.example/callback', 'pending', 0, '2026-11-22 10:14:52.853428+00', '2026-11-22 10:14:52.853429+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'd0163488-bad5-f4ea-7954-8afe7a304a92', '792625f6-977f-f082-8d89-84ec423def56', false),
  ('f4e3750c-73cd-475a-bfae-98e485b4e595', 'sandbox', 'evt_74b69b80a9734c91bd5bc76db9cfd3da', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', NULL, 'https://shop.example/hook', 'pending', 0, '2026-11-22 10:14:52.723464+00', '2026-11-22 10:14:52.723464+00', 0, '84742873-7407-48eb-8f7d-df154855ad86', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', 'b6c437f4-ae6a-422a-9d28-6818da6e8c47', false);

INSERT INTO "console_users" (id, email, role, password_hash, created_at) VALUES
  ('07082b9c-640e-400d-9455-17eba347aeb6', 'admin@example.com', 'administrator', 'x', '2026-11-22 10:14:52.916908+00');

INSERT INTO "payout_usage" (merchant_id, mode, currency, period, starts_on, amount) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'EUR', 'day', '2026-11-22', 200),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'EUR', 'month', '2026-11-01', 200);

INSERT INTO "exchange_rates" (id, mode, base, quote, rate, spread_percent, effective_from, created_at) VALUES
  ('5f0c3a52-7f1e-4a7c-9d3e-0c7d3a4f9b11', 'sandbox', 'USD', 'EUR', '0.90000000000000000000', '0.000000', '2000-01-01 00:00:00+00', '2026-11-26 00:35:57.297387+00');

INSERT INTO "payouts" (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, status, trx_id, transfer_id, hold_transfer_id, created_at, processed_at) VALUES
  ('pay_67bb982d0a0725a0b776ca6a', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'old-2', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 100, 'EUR', 10, '1.00000000000000000000', 100, 'EUR', 'pending', NULL, NULL, 'b3bdc393-4aa8-4a09-a75a-235ab7a9c3aa', '2026-11-22 10:14:52.911375+00', NULL),
  ('pay_f0adfb0f9dfd26c1ae9aa276', 'sandbox', '84742873-7407-48eb-8f7d-df154855ad86', 'old-1', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', 100, 'EUR', 10, '1.00000000000000000000', 100, 'EUR', 'completed', 'POecf6494a94', 'c8a23202-d3de-45da-804b-bd9c624957da', NULL, '2026-11-22 10:14:52.8863+00', '2026-11-22 10:14:52.8863+00');

INSERT INTO "audit_records" (id, number, administrator_id, administrator, action, subject, details, created_at, previous_hash, hash) VALUES
  (1, 1, '07082b9c-640e-400d-9455-17eba347aeb6', 'admin@example.com', 'wallet.deposit', 'f6d34e06-1ea3-44a1-a7d7-cfe0e327d19e', '{"mode" : "sandbox", "currency" : "EUR", "amount_minor" : "5000", "external_reference" : "wire 1", "wallet_user_id" : "0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1", "request_id" : null, "transfer_id" : "a9a42a4e-a6e6-4a48-a645-89e5fed11279"}', '2026-11-22 10:14:52.940884+00', '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '\x2eb380b03d1ca044fd33842937e80870c6af7b1d44252172ebb709ba9b44503f');

INSERT INTO "span_counts" (merchant_id, mode, kind, starts_at, status, count) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUNDED', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'CANCELLED', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22 10:10:00+00', 'pending', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'completed', 3),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'REFUND_PENDING', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PENDING', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:10:00+00', 'pending', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22 10:10:00+00', 'completed', 1),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:10:00+00', 'PAID', 3);

INSERT INTO "shopper_quotes" (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, created_at, expires_at, used_at) VALUES
  ('52492354-d8cb-46b1-aec2-42af41e6eebc', 'sandbox', 'ord_d105937111a2f508ddf3c8d9', '0ea8ba8f-1ebb-48be-93c0-69ef5189dcb1', '5649855b-4c31-4aca-ad56-a19dc9abf7a5', 'USD', 1389, '0.90000000000000000000', '2026-11-22 10:14:52.95086+00', '2026-11-22 11:14:52.950681+00', '2026-11-22 10:14:52.958774+00');

INSERT INTO "day_sums" (merchant_id, mode, kind, day, status, currency, amount) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUND_PENDING', 'EUR', 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'CANCELLED', 'EUR', 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'REFUNDED', 'EUR', 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PAID', 'EUR', 3750),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22', 'PENDING', 'EUR', 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'pending', 'EUR', 500),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22', 'completed', 'EUR', 1833),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22', 'pending', 'EUR', 100),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22', 'completed', 'EUR', 100);

INSERT INTO "quarter_hour_sums" (merchant_id, mode, kind, starts_at, status, currency, count, amount) VALUES
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:00:00+00', 'REFUNDED', 'EUR', 1, 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:00:00+00', 'PENDING', 'EUR', 1, 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:00:00+00', 'pending', 'EUR', 1, 500),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:00:00+00', 'REFUND_PENDING', 'EUR', 1, 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:00:00+00', 'CANCELLED', 'EUR', 1, 1250),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'refund', '2026-11-22 10:00:00+00', 'completed', 'EUR', 3, 1833),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'order', '2026-11-22 10:00:00+00', 'PAID', 'EUR', 3, 3750),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22 10:00:00+00', 'completed', 'EUR', 1, 100),
  ('84742873-7407-48eb-8f7d-df154855ad86', 'sandbox', 'payout', '2026-11-22 10:00:00+00', 'pending', 'EUR', 1, 100);

SELECT setval('audit_records_id_seq', 1);
SELECT setval('entries_id_seq', 33);
SELECT setval('events_number_seq', 11);