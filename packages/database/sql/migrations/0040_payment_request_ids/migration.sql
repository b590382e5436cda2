-- Which request of the payment page paid an order, as "cancel_request_id" says which one cancelled it: its timeline shows it.
ALTER TABLE "orders" ADD COLUMN     "pay_request_id" TEXT;
-- The page's calls are no calls of the merchant. They were kept among them, with the page's token and a shopper's session.
DELETE FROM "api_requests" WHERE "path" LIKE '/checkout/%';
