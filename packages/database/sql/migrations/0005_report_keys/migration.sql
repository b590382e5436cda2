-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "reports_only" BOOLEAN NOT NULL DEFAULT false;
