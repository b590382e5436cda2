import type { Database } from "../database/database.js";
import { listStorefront } from "./product.js";

type CatalogueProduct = {
  slug: string;
  name: string;
  /** Minor units of the shop's currency. */
  price: bigint;
  short: string;
  description: string;
  stock?: number;
  digital?: true;
};

/** The catalogue of Kiln & Clover. The slug is also the illustration's file name. */
export const catalogue: CatalogueProduct[] = [
  {
    slug: "morning-mug",
    name: "Morning mug",
    price: 1850n,
    short: "Stoneware, 320 ml, oat glaze",
    description:
      "A mug with a wide foot that stays warm and does not tip over. Thrown by hand, glazed in oat, safe in the dishwasher.",
    stock: 5000,
  },
  {
    slug: "pour-over-dripper",
    name: "Pour-over dripper",
    price: 3400n,
    short: "For one or two cups, takes paper filters no. 2",
    description: "Eleven ribs inside let the water fall evenly. Sits on any of our mugs, and on most others.",
    stock: 5000,
  },
  {
    slug: "breakfast-bowl",
    name: "Breakfast bowl",
    price: 2200n,
    short: "Stoneware, 600 ml, moss glaze",
    description:
      "Deep enough for porridge, wide enough for fruit on top. The moss glaze differs a little on each.",
    stock: 5000,
  },
  {
    slug: "tall-carafe",
    name: "Tall carafe",
    price: 4650n,
    short: "One litre, pours without dripping",
    description: "For water, juice or the flowers you forgot to buy a vase for. The lip is pulled by hand.",
    stock: 5000,
  },
  {
    slug: "espresso-pair",
    name: "Espresso pair",
    price: 2400n,
    short: "Two cups, 70 ml each, in ink and clay",
    description: "Small, thick and quick to warm. Sold as a pair, because nobody has just one.",
    stock: 5000,
  },
  {
    slug: "bud-vase",
    name: "Bud vase",
    price: 2900n,
    short: "For a single stem, terracotta",
    description:
      "A narrow neck that holds one stem upright. The last of this firing; the next comes in spring.",
    stock: 3,
  },
  {
    slug: "sill-planter",
    name: "Sill planter",
    price: 2675n,
    short: "Pot and saucer, 12 cm",
    description: "Made to order, so there is always one. Unglazed inside, so that roots can breathe.",
  },
  {
    slug: "glaze-notebook",
    name: "The glaze notebook",
    price: 900n,
    short: "Forty recipes, PDF",
    description:
      "Everything we wrote down in six years at the kiln. A download: nothing is shipped, and your order completes at once.",
    digital: true,
  },
];

/** Adds the catalogue, unless the storefront already has products. */
export async function seedCatalogue(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query("LOCK TABLE product IN SHARE ROW EXCLUSIVE MODE");
    if ((await listStorefront(transaction)).length > 0) return;
    for (const [position, product] of catalogue.entries()) {
      await transaction.query(
        `INSERT INTO product (slug, name, short_description, description, regular_price, manage_stock, stock_quantity,
            virtual, downloadable, artwork, sku, menu_order, created_at, modified_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $1, $9, $10,
            date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()))`,
        [
          product.slug,
          product.name,
          product.short,
          product.description,
          product.price,
          product.stock !== undefined,
          product.stock ?? null,
          product.digital ?? false,
          `KC-${String(position + 1).padStart(2, "0")}`,
          position,
        ],
      );
    }
  });
}
