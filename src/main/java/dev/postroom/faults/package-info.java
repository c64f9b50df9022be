/**
 * Bad weather on order: what goes wrong between this node and its sockets while the fault mode is
 * on, so that a team can test its own page against it. Development runs alone can turn it on.
 *
 * <p>Concurrency: safe for any thread; decisions wait for nothing.
 *
 * <p>Life cycle: from {@link dev.postroom.faults.FaultMode#begin} to {@link
 * dev.postroom.faults.FaultMode#end}, on this node. Nothing of it is kept.
 *
 * <p>Invariants: faults are in what is said, heard, refused or cut; never in what is stored. The
 * one thing that is written is a new epoch, as an operator writes it. Who asks for decisions in the
 * same order, under the same seed, gets the same.
 *
 * <p>Imports: {@code room}, for the epochs.
 */
@NullMarked
package dev.postroom.faults;

import org.jspecify.annotations.NullMarked;
