import type { ReactElement } from "react";
import { priceOf } from "../amounts.js";
import type { NoteRow } from "../orders/notes.js";
import { type Order, statusNames } from "../orders/order.js";
import type { Refund } from "../orders/refund-records.js";
import { FormToken, TextField } from "../shop/form-fields.js";
import { Page } from "../shop/page.js";

/** A moment as the owner reads it; the shop's zone is UTC. */
const shown = (date: Date): string =>
  `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 16)} UTC`;

function Moment({ date }: { date: Date }): ReactElement {
  return <time dateTime={date.toISOString()}>{shown(date)}</time>;
}

const buyerOf = ({ billing }: Order): string => {
  const name = `${billing.first_name} ${billing.last_name}`.trim();
  return name === "" ? (billing.email ?? "") : name;
};

/** Where the owner signs in. */
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

export interface OwnerOrdersProps {
  orders: Order[];
  page: number;
  pages: number;
  total: number;
  formToken: string;
}

/** The list of orders. */
export function OwnerOrdersPage({ orders, page, pages, total, formToken }: OwnerOrdersProps): ReactElement {
  return (
    <Page title="Orders" owner>
      <div className="pages">
        <h1>Orders</h1>
        <SignOut formToken={formToken} />
      </div>
      {orders.length === 0 ? (
        <p data-testid="owner-no-orders">There are no orders yet.</p>
      ) : (
        <section className="scroll" aria-label="Orders">
          <table data-testid="owner-orders">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Made</th>
                <th scope="col">Buyer</th>
                <th scope="col">Status</th>
                <th scope="col" className="number">
                  Total
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={String(order.id)} data-testid={`owner-order-${order.id}`}>
                  <th scope="row">
                    <a href={`/owner/orders/${order.id}`}>{String(order.id)}</a>
                  </th>
                  <td>
                    <Moment date={order.created_at} />
                  </td>
                  <td>{buyerOf(order)}</td>
                  <td>
                    <span className={`status ${order.status}`}>{statusNames[order.status]}</span>
                  </td>
                  <td className="number">{priceOf(order.total, order.currency)}</td>
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

function Items({ order, refunds }: { order: Order; refunds: Refund[] }): ReactElement {
  return (
    <section className="scroll" aria-label="Items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="number">
              Pieces
            </th>
            <th scope="col" className="number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={String(item.id)}>
              <td>{item.name}</td>
              <td className="number">{item.type === "line_item" ? item.quantity : ""}</td>
              <td className="number">{priceOf(item.total, order.currency)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Total</th>
            <td />
            <td className="number">
              <strong>{priceOf(order.total, order.currency)}</strong>
            </td>
          </tr>
          {refunds.map((refund) => (
            <tr key={String(refund.id)} data-testid="owner-refund">
              <td>
                Refund {String(refund.id)}
                {refund.reason === "" ? "" : `: ${refund.reason}`}
              </td>
              <td />
              <td className="number">{priceOf(-refund.amount, order.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** WooCommerce keeps notes as HTML text; the arrow is the one sign in them that the shop itself writes so. */
const plainNote = (note: string): string => note.replaceAll("&rarr;", "→");

function Timeline({ notes }: { notes: NoteRow[] }): ReactElement {
  return (
    <ul className="timeline" data-testid="owner-notes">
      {notes.map((note) => (
        <li key={String(note.id)}>
          <time dateTime={note.created_at.toISOString()}>
            {shown(note.created_at)} · {note.author}
            {note.customer_note ? " · to the customer" : ""}
          </time>
          {plainNote(note.note)}
        </li>
      ))}
    </ul>
  );
}

/** Statuses from which the owner may cancel an order without owing money. */
export const isCancellable = ({ status }: Order): boolean =>
  status === "pending" || status === "failed" || status === "on-hold";

export interface OwnerOrderProps {
  order: Order;
  refunds: Refund[];
  notes: NoteRow[];
  formToken: string;
  notice?: string | undefined;
}

/** One order, with all that is known of it. */
export function OwnerOrderPage({ order, refunds, notes, formToken, notice }: OwnerOrderProps): ReactElement {
  return (
    <Page title={`Order ${order.id}`} owner>
      <p className="crumbs">
        <a href="/owner">All orders</a>
      </p>
      <h1>
        Order {String(order.id)}{" "}
        <span className={`status ${order.status}`} data-testid="owner-order-status">
          {statusNames[order.status]}
        </span>
      </h1>
      {notice === undefined ? null : (
        <p className="notice" role="status" data-testid="notice">
          {notice}
        </p>
      )}
      <dl className="facts">
        <div>
          <dt>Made</dt>
          <dd>
            <Moment date={order.created_at} />
          </dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{order.paid_at ? <Moment date={order.paid_at} /> : "–"}</dd>
        </div>
        <div>
          <dt>Method</dt>
          <dd>{order.payment_method_title || "–"}</dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>{order.transaction_id || "–"}</dd>
        </div>
        <div>
          <dt>Buyer</dt>
          <dd>
            {buyerOf(order) || "–"}
            {order.billing.email ? (
              <>
                <br />
                {order.billing.email}
              </>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            {[order.billing.address_1, `${order.billing.postcode} ${order.billing.city}`.trim()]
              .filter((part) => part !== "")
              .join(", ") || "–"}
          </dd>
        </div>
      </dl>
      {order.customer_note === "" ? null : <p>“{order.customer_note}”</p>}
      <h2>Items</h2>
      <Items order={order} refunds={refunds} />
      {isCancellable(order) ? (
        <form method="post" action={`/owner/orders/${order.id}/cancel`}>
          <FormToken value={formToken} />
          <button type="submit" className="danger" data-testid="owner-cancel">
            Cancel this order
          </button>
        </form>
      ) : null}
      <h2>What happened</h2>
      {notes.length === 0 ? <p>Nothing yet.</p> : <Timeline notes={notes} />}
    </Page>
  );
}
