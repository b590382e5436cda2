-- One shopper of the sandbox as whom anybody signs in without a PIN: the payment page offers it to who tries a shop out.
ALTER TABLE "wallet_users" ADD COLUMN "open_in" "mode";
CREATE UNIQUE INDEX "wallet_users_open_in_key" ON "wallet_users"("open_in");
-- The seed's first shopper, in a sandbox that was seeded before.
UPDATE "wallet_users" SET "open_in" = 'sandbox'
WHERE "mode" = 'sandbox' AND "email" = 'amelie@example.com' AND "phone" = '+33612345678' AND "test_of_merchant_id" IS NULL;
