-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "sites" JSONB NOT NULL DEFAULT '{}';
