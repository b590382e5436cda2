-- DropForeignKey
-- book_entries compares the entries of a statement with their transfers and accounts.
ALTER TABLE "entries" DROP CONSTRAINT "entries_account_id_mode_currency_fkey";
ALTER TABLE "entries" DROP CONSTRAINT "entries_transfer_id_mode_fkey";

-- DropForeignKey
-- Implied by the checks at commit: a paid order or settled payout has a transfer of its mode and of the expected kind.
ALTER TABLE "orders" DROP CONSTRAINT "orders_transfer_id_mode_fkey";
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_transfer_id_mode_fkey";
