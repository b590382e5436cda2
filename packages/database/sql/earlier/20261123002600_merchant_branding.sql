-- How a merchant looks on the payment page. The operation decides what can be shown; what can be said of one row is held here.
CREATE TABLE "merchant_branding" (
    "merchant_id" UUID NOT NULL,
    "name" TEXT,
    "accent" TEXT,
    "logo_id" TEXT,
    "logo_type" TEXT,
    "logo_width" INTEGER,
    "logo_height" INTEGER,
    "logo" BYTEA,

    CONSTRAINT "merchant_branding_pkey" PRIMARY KEY ("merchant_id")
);
CREATE INDEX "merchant_branding_logo_id_idx" ON "merchant_branding"("logo_id");
ALTER TABLE "merchant_branding" ADD CONSTRAINT "merchant_branding_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
