import type { ReactElement } from "react";
import { formatPrice } from "../amounts.js";
import { type Order, statusNames } from "../orders/order.js";
import { FormToken, TextField } from "../shop/form-fields.js";
import { Page } from "../shop/page.js";

export const formatTime = (date: Date): string =>
  `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 16)} UTC`;

export function Moment({ date }: { date: Date }): ReactElement {
  return <time dateTime={date.toISOString()}>{formatTime(date)}</time>;
}

export const NumberColumn = ({ name }: { name: string }): ReactElement => (
  <th scope="col" className="number">
    {name}
  </th>
);

export const buyerName = ({ billing }: Order): string => {
  const name = `${billing.first_name} ${billing.last_name}`.trim();
  return name || billing.email;
};

export function SignInPage({ formToken, error }: { formToken: string; error?: string }): ReactElement {
  return (
    <Page title="Shop owner" owner>
      <div className="narrow">
        <h1>Shop owner</h1>
        <form method="post" action="/owner/sign-in">
          <FormToken value={formToken} />
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            error={error}
          />
          <button type="submit" data-testid="owner-sign-in">
            Sign in
          </button>
        </form>
      </div>
    </Page>
  );
}

function SignOut({ formToken }: { formToken: string }): ReactElement {
  return (
    <form method="post" action="/owner/sign-out">
      <FormToken value={formToken} />
      <button type="submit" className="quiet" data-testid="owner-sign-out">
        Sign out
      </button>
    </form>
  );
}

export type OwnerOrdersProps = {
  orders: Order[];
  page: number;
  pages: number;
  total: number;
  formToken: string;
};

export function OwnerOrdersPage({ orders, page, pages, total, formToken }: OwnerOrdersProps): ReactElement {
  return (
    <Page title="Orders" owner>
      <div className="pages">
        <h1>Orders</h1>
        <SignOut formToken={formToken} />
      </div>
      {orders.length === 0 ? (
        <p data-testid="owner-no-orders">No orders yet.</p>
      ) : (
        <section className="scroll" aria-label="Orders">
          <table data-testid="owner-orders">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col" className="on-desktop">
                  Placed
                </th>
                <th scope="col" className="on-desktop">
                  Customer
                </th>
                <th scope="col">Status</th>
                <NumberColumn name="Total" />
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={String(order.id)} data-testid={`owner-order-${order.id}`}>
                  <th scope="row">
                    <a href={`/owner/orders/${order.id}`}>{String(order.id)}</a>
                    <small className="on-phone">
                      <Moment date={order.created_at} />
                      {buyerName(order)}
                    </small>
                  </th>
                  <td className="on-desktop">
                    <Moment date={order.created_at} />
                  </td>
                  <td className="on-desktop">{buyerName(order)}</td>
                  <td>
                    <span className={`status ${order.status}`}>{statusNames[order.status]}</span>
                  </td>
                  <td className="number">{formatPrice(order.total, order.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <nav className="pages" aria-label="Pages">
        <span>
          {total} {total === 1 ? "order" : "orders"}, page {page} of {Math.max(1, pages)}
        </span>
        <span className="actions">
          {page > 1 ? <a href={`/owner?page=${page - 1}`}>Newer</a> : null}
          {page < pages ? <a href={`/owner?page=${page + 1}`}>Older</a> : null}
        </span>
      </nav>
    </Page>
  );
}
