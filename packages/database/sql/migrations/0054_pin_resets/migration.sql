-- When a PIN of the sandbox was reset by phone or e-mail alone: who signs in since then may be somebody else, and sees nothing from before.
ALTER TABLE "wallet_users" ADD COLUMN "pin_reset_at" TIMESTAMPTZ;
