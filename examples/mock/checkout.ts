/** An example of a shop's own code. It needs an address and a key, and nothing in it depends on the mock. */
export async function cheapestProduct(baseUrl: string, apiKey: string, slug: string): Promise<string> {
  const response = await fetch(`${baseUrl}/games/${slug}`, {
    headers: { Accept: 'application/json', 'X-API-KEY': apiKey },
  });
  const { data } = await response.json();
  const [cheapest] = data.products.toSorted(
    (a: { selling_price: number }, b: { selling_price: number }) => a.selling_price - b.selling_price,
  );
  return cheapest.title;
}
