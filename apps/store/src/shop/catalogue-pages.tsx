import type { ReactElement } from "react";
import { formatPrice } from "../amounts.js";
import { getStock, type Product } from "../catalogue/product.js";
import { limits } from "../config.js";
import { FormToken } from "./form-fields.js";
import { Artwork, Page } from "./page.js";

/** Largest stock for which the remaining pieces are shown. */
const FEW_PIECES = 5;

type CatalogueProps = {
  products: Product[];
  currency: string;
  formToken: string;
  cartPieces: number;
};

function Availability({ product }: { product: Product }): ReactElement | null {
  const stock = getStock(product);
  if (stock === 0) return <p className="availability none">Sold out</p>;
  if (stock !== undefined && stock <= FEW_PIECES)
    return <p className="availability few">Only {stock} left</p>;
  return null;
}

function AddToCart({
  product,
  formToken,
  withQuantity,
}: {
  product: Product;
  formToken: string;
  withQuantity: boolean;
}): ReactElement {
  const stock = getStock(product);
  return (
    <form method="post" action="/cart/add" className="add">
      <FormToken value={formToken} />
      <input type="hidden" name="product_id" value={String(product.id)} />
      {withQuantity ? (
        <div className="field quantity">
          <label htmlFor="quantity">Quantity</label>
          <input
            id="quantity"
            name="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={Math.min(stock ?? limits.pieces, limits.pieces)}
            defaultValue={1}
            data-testid="quantity"
          />
        </div>
      ) : (
        <input type="hidden" name="quantity" value="1" />
      )}
      <button type="submit" disabled={stock === 0} data-testid={`add-to-cart-${product.slug}`}>
        Add to cart<span className="hidden">: {product.name}</span>
      </button>
    </form>
  );
}

export function HomePage({ products, currency, formToken, cartPieces }: CatalogueProps): ReactElement {
  return (
    <Page title="Everyday ceramics" cartPieces={cartPieces}>
      <section className="hero">
        <h1>Things for the table, made slowly</h1>
        <p>
          Stoneware from a small kiln by the river. Every piece is thrown, glazed and packed by two people.
        </p>
      </section>
      <h2 className="hidden">Products</h2>
      <ul className="products" data-testid="products">
        {products.map((product) => (
          <li key={product.slug} className="card" data-testid={`product-${product.slug}`}>
            <div className="picture">
              <Artwork name={product.artwork} />
            </div>
            <div className="words">
              <h3>
                <a href={`/product/${product.slug}`}>{product.name}</a>
              </h3>
              <p className="short">{product.short_description}</p>
              <Availability product={product} />
            </div>
            <div className="buy">
              <p className="price">{formatPrice(product.regular_price, currency)}</p>
              <AddToCart product={product} formToken={formToken} withQuantity={false} />
            </div>
          </li>
        ))}
      </ul>
    </Page>
  );
}

export function ProductPage({
  product,
  currency,
  formToken,
  cartPieces,
}: Omit<CatalogueProps, "products"> & { product: Product }): ReactElement {
  return (
    <Page title={product.name} cartPieces={cartPieces}>
      <p className="crumbs">
        <a href="/">All products</a>
      </p>
      <article className="product">
        <div className="picture">
          <Artwork name={product.artwork} />
        </div>
        <div>
          <h1>{product.name}</h1>
          <p className="short">{product.short_description}</p>
          <p className="price" data-testid="product-price">
            {formatPrice(product.regular_price, currency)}
          </p>
          <p>{product.description}</p>
          <Availability product={product} />
          <AddToCart product={product} formToken={formToken} withQuantity />
        </div>
      </article>
    </Page>
  );
}
