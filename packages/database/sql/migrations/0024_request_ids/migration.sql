-- Which call of the API made a refund or cancelled an order: its timeline shows it. What was done in the console is in the
-- audit chain, and what a shopper did on the page has neither.
ALTER TABLE "refunds" ADD COLUMN     "credential_id" UUID,
ADD COLUMN     "request_id" TEXT;
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_credential_id_merchant_id_mode_fkey" FOREIGN KEY ("credential_id", "merchant_id", "mode") REFERENCES "credentials"("id", "merchant_id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "orders" ADD COLUMN     "cancel_request_id" TEXT;
