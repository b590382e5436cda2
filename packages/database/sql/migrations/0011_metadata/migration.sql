-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "locale" VARCHAR(35),
ADD COLUMN     "metadata" TEXT;

-- AlterTable
ALTER TABLE "payouts" ADD COLUMN     "metadata" TEXT;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "metadata" TEXT;
