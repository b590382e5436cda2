-- Finds the rates of one transaction, which their audit record names together.
CREATE INDEX "exchange_rates_created_at_idx" ON "exchange_rates"("created_at");
