-- Where a merchant's shop may show payments in a frame.
CREATE TABLE "embed_origins" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "origin" TEXT NOT NULL,

    CONSTRAINT "embed_origins_pkey" PRIMARY KEY ("merchant_id","mode","origin")
);
ALTER TABLE "embed_origins" ADD CONSTRAINT "embed_origins_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
