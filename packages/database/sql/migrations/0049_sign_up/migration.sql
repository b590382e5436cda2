-- A mailed link can make a sandbox account, and lead on to where its reader was going.
ALTER TYPE "console_link_kind" ADD VALUE 'sign_up';
ALTER TABLE "console_links" ADD COLUMN     "next_path" TEXT;
