/** Saves a document of the page as a file of JSON. */
export function ExportButton({ value, fileName }: { readonly value: object | undefined; readonly fileName: string }) {
  const save = () => {
    const address = URL.createObjectURL(
      new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" }),
    );
    const link = document.createElement("a");
    link.href = address;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <button type="button" class="btn" disabled={value === undefined} onClick={save}>
      Export
    </button>
  );
}
