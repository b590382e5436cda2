-- Which request of the payment page paid an order, as "cancel_request_id" says which one cancelled it: its timeline shows it.
ALTER TABLE "orders" ADD COLUMN     "pay_request_id" TEXT;
