/** The page of one run, `/runs/<id>`. */
export default function RunPage({ id }: { readonly id: string }) {
  return <h1>{id}</h1>;
}
