-- Finds persons by their whole name or e-mail address, for which the index on parts of names compares about twenty lists of persons.
-- A hash, because a name can be longer than a row of another index.
CREATE INDEX persons_by_whole_name ON persons USING hash (lower(person_name(properties)));
