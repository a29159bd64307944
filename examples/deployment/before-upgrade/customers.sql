CREATE FUNCTION order_customer(details TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT nullif(regexp_replace(regexp_replace(number, '^00', ''), '^(620|0)', '62'), '')
    FROM (SELECT regexp_replace(
      split_part(split_part(replace(details, '\"', ''), '"whatsapp":"', 2), '"', 1),
      '\\(u[0-9a-f]{4}|[^u])|[^0-9]', '', 'gi')) AS phone (number)
  $$;
CREATE INDEX CONCURRENTLY orders_customer ON orders ((order_customer(details) COLLATE "C"), created_at, order_id);
