/** Knows which model requests are in a file already. */
export interface RequestOwners {
  /** Claims the requests of the next file, and returns those that an earlier file has claimed, sorted. */
  claim(requests: Float64Array): Float64Array;
}

/** Creates owners of no requests. A resumed or forked session begins with a copy of an earlier file. */
export function createRequestOwners(): RequestOwners {
  const claimed = new Set<number>();
  return {
    claim(requests) {
      const copies = requests.filter((request) => claimed.has(request)).sort();
      for (const request of requests) claimed.add(request);
      return copies;
    },
  };
}

/** Whether two sorted lists are equal. */
export function isSameList(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
