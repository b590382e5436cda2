-- The timeline of an order, refund or payout shows the calls that made or changed it. Reads are many, and shown nowhere by what they are about.
CREATE INDEX api_requests_about ON api_requests (about, id DESC) WHERE about IS NOT NULL AND method <> 'GET';
