-- Which browser a device of a wallet user is, so that its owner knows it again in a list.
ALTER TABLE "wallet_devices" ADD COLUMN "browser" TEXT NOT NULL DEFAULT '';
