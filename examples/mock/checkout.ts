/** What a shop's own code might look like: it knows an address and a key, and nothing of mocks. */
export async function cheapestProduct(baseUrl: string, apiKey: string, slug: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/games/${slug}`, {
    headers: { Accept: 'application/json', 'X-API-KEY': apiKey },
  });
  const { data } = await answer.json();
  const [cheapest] = data.products.toSorted(
    (a: { selling_price: number }, b: { selling_price: number }) => a.selling_price - b.selling_price,
  );
  return cheapest.title;
}
