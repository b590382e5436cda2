-- Checks on payout_batch_lines. A price is complete or absent. Lines that are ready or being paid have a price. A line has a payout if and
-- only if it is completed.
ALTER TABLE payout_batch_lines
  ADD CONSTRAINT payout_batch_lines_amount_positive CHECK (amount > 0),
  ADD CONSTRAINT payout_batch_lines_price_whole CHECK (num_nulls(wallet_user_id, fee, rate, receiver_amount) IN (0, 4)),
  ADD CONSTRAINT payout_batch_lines_priced_before_paid CHECK (status NOT IN ('ready', 'paying') OR rate IS NOT NULL),
  ADD CONSTRAINT payout_batch_lines_done_by_payout CHECK ((status = 'done') = (payout_id IS NOT NULL)),
  ADD CONSTRAINT payout_batch_lines_failed_for_a_reason CHECK ((status = 'failed') = (failure IS NOT NULL));
