-- Returns the host of a receiver's address, with its port unless that is 80 or 443. All invalid addresses have the same host.
CREATE OR REPLACE FUNCTION host_of_address(p_address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(lower(coalesce(substring(p_address FROM '^[A-Za-z][A-Za-z0-9+.-]*://([^/?#]+)'), 'no host')), ':(80|443)$', '')
$$;
